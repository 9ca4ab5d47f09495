# link
