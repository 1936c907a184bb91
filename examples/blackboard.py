"""
The blackboard
==============

Stub.
"""

print("hello")
