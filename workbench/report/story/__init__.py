"""The story of a workload: what a profile saves and loses on its requests, with the cases that show it."""
