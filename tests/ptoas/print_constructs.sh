pto-as --check print_constructs.pto
pto-as --print print_constructs.pto
