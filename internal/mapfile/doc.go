// Package mapfile shows files as memory and memory as numbers: the one door to mapped
// files, for model files ([Private]) and for the store of tiles ([Shared]).
package mapfile
