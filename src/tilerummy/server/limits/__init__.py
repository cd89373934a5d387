"""Rate limits: token buckets per connection and per address."""
