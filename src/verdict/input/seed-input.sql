select gcos_seed_input() as written
