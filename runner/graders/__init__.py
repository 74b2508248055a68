"""(Reply, AnswerKey) to Grade: one file a grader."""
