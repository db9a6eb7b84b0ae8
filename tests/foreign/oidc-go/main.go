// A provider of OpenID Connect: the example server of zitadel/oidc, whose people and login page are its own.
// It prints its issuer as JSON.
package main

import (
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
)

func main() {
	redirect := os.Args[1]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	issuer := "http://" + listener.Addr().String()
	storage.RegisterClients(storage.WebClient("telex", "a secret", redirect))
	store := storage.NewStorage(storage.NewUserStore(issuer))
	router := exampleop.SetupServer(issuer, store, slog.New(slog.NewTextHandler(io.Discard, nil)), false)
	json.NewEncoder(os.Stdout).Encode(map[string]string{"kind": "ready", "issuer": issuer})
	log.Fatal(http.Serve(listener, router))
}
