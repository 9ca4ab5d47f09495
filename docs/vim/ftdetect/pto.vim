autocmd BufNewFile,BufRead *.pto setfiletype pto
