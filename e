mercer: energy.train.csv: cannot be opened: no such file or directory
Command exited with non-zero status 1
0.01 u 0.02 s
