# grammar
