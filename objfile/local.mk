# objfile
