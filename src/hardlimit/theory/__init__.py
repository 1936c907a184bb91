"""What is known of the learners: bounds, cones, distances, criterion functions, cycles.

The public names are ``hardlimit.bounds``, ``hardlimit.cones``, ``hardlimit.distances`` and
``hardlimit.criteria``.
"""
