create extension vector; create table foo(a int);
