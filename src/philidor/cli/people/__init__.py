"""The commands of `philidor net` that measure players and networks by what people do."""
