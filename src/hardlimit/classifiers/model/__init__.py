"""What a fit makes: the choices it was made with, what answers, and what training continues."""
