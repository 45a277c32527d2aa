"""What coding agents tell by themselves: a small process for each event, which is never in the way and never fails."""
