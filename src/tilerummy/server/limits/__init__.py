"""Limits: token buckets, rate limits per connection and address, admission control."""
