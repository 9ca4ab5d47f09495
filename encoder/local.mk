# encoder
