-- All that the tables of the first version held is in those of the second.
DROP TABLE {}checkpoints_1;
DROP TABLE {}checkpoint_threads_1;
