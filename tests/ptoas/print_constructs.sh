pto-as --print print_constructs.pto
