"""What is minimised: the data, the losses, the objective."""
