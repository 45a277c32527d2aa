"""What must survive kills, crowds, frozen writers, lost power and failing disks; see docs/reliability.md."""
