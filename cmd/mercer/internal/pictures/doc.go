// Package pictures holds tests that draw the pictures of docs which show what methods do on
// public data, and measure the tables beside them. With -update they write the files.
package pictures
