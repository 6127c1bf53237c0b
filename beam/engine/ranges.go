package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/gcsx"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"example.org/mercer/data/open"
)

// ranges opens a range of an object. The file systems of Beam read objects from their beginning, so
// this asks the clients below them, which are told in the same way who may read what.
type ranges func(ctx context.Context, object string, r open.Range) (io.ReadCloser, error)

// rangesOf are those of the object stores, by scheme; done closes the client.
var rangesOf = map[string]func(ctx context.Context) (read ranges, done func() error, err error){
	"s3://": rangesOfS3,
	"gs://": rangesOfGoogle,
}

func rangesOfS3(ctx context.Context) (ranges, func() error, error) {
	about, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, nil, err
	}
	client := s3.NewFromConfig(about)
	read := func(ctx context.Context, object string, r open.Range) (io.ReadCloser, error) {
		at, err := url.Parse(object)
		if err != nil {
			return nil, err
		}
		out, err := client.GetObject(ctx, &s3.GetObjectInput{
			Bucket: aws.String(at.Host), Key: aws.String(strings.TrimPrefix(at.Path, "/")), Range: aws.String(fmt.Sprintf("bytes=%d-%d", r.From, r.To-1)),
		})
		if err != nil {
			return nil, err
		}
		return out.Body, nil
	}
	return read, func() error { return nil }, nil
}

func rangesOfGoogle(ctx context.Context) (ranges, func() error, error) {
	client, err := gcsx.NewClient(ctx, storage.ScopeReadOnly)
	if err != nil { // what all may read needs no credentials
		client, err = gcsx.NewUnauthenticatedClient(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	read := func(ctx context.Context, object string, r open.Range) (io.ReadCloser, error) {
		bucket, name, err := gcsx.ParseObject(object)
		if err != nil {
			return nil, err
		}
		return client.Bucket(bucket).Object(name).NewRangeReader(ctx, r.From, r.To-r.From)
	}
	return read, client.Close, nil
}

// fetchParts writes a file with the length of an object, and those parts of it.
func fetchParts(ctx context.Context, object, path string, size int64, parts []open.Range) (err error) {
	scheme, _, _ := strings.Cut(object, "://")
	client, ok := rangesOf[scheme+"://"]
	if !ok {
		return fmt.Errorf("ranges of %s cannot be read", object)
	}
	read, done, err := client(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Truncate(size); err != nil {
		return err
	}
	for _, part := range parts {
		if err := fetchPart(ctx, read, object, f, part); err != nil {
			return err
		}
	}
	return nil
}

// fetchPart writes a part of an object to its place in a file.
func fetchPart(ctx context.Context, read ranges, object string, to io.WriterAt, part open.Range) error {
	if part.From == part.To {
		return nil
	}
	from, err := read(ctx, object, part)
	if err != nil {
		return err
	}
	defer from.Close()
	n, err := io.Copy(io.NewOffsetWriter(to, part.From), io.LimitReader(from, part.To-part.From))
	if err == nil && n != part.To-part.From {
		err = fmt.Errorf("%s ends at byte %d, and %d to %d are to be read", object, part.From+n, part.From, part.To)
	}
	return err
}
