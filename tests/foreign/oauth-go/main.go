// Signs in to Telex with golang.org/x/oauth2, and prints what it saw: oauth-go <issuer> <person> <applications>
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	"golang.org/x/oauth2"
)

var (
	issuer, person = os.Args[1], os.Args[2]
	ctx            = context.Background()
	scopes         = []string{"openid", "profile", "chat"}
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read(address, token string) (int, string) {
	request := must(http.NewRequest("GET", address, nil))
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	return response.StatusCode, string(must(io.ReadAll(response.Body)))
}

func call(token string) int {
	status, _ := read(issuer+"/external/api/v1/oauth2/userId", token)
	return status
}

func ask(path string, query url.Values, deny bool) string {
	if deny {
		query.Set("deny", "1")
	}
	status, text := read(person+"/"+path+"?"+query.Encode(), "")
	if status != 200 {
		panic(text)
	}
	return text
}

// errorOf returns the word of OAuth with which a request failed.
func errorOf(err error) string {
	var failure *oauth2.RetrieveError
	if errors.As(err, &failure) {
		return failure.ErrorCode
	}
	return fmt.Sprint(err)
}

// code sends the person to the server, and returns the answer in the address to which the browser comes back.
func code(config *oauth2.Config, verifier string, deny bool) url.Values {
	state := oauth2.GenerateVerifier()
	address := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
	back := must(url.Parse(ask("walk", url.Values{"url": {address}}, deny))).Query()
	if back.Get("state") != state {
		panic("The state is another one.")
	}
	return back
}

func signIn(config *oauth2.Config) *oauth2.Token {
	verifier := oauth2.GenerateVerifier()
	answer := code(config, verifier, false)
	return must(config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(verifier)))
}

func refresh(config *oauth2.Config, token string) (*oauth2.Token, error) {
	return config.TokenSource(ctx, &oauth2.Token{RefreshToken: token}).Token()
}

func device(config *oauth2.Config, deny bool) (*oauth2.Token, error) {
	shown := must(config.DeviceAuth(ctx))
	shown.Interval = 1
	ask("answer", url.Values{"code": {shown.UserCode}}, deny)
	return config.DeviceAccessToken(ctx, shown)
}

func main() {
	var told struct{ Program, Site, Secret, OnDevice, OnServer string }
	if err := json.Unmarshal([]byte(os.Args[3]), &told); err != nil {
		panic(err)
	}
	var endpoints struct {
		Authorize string `json:"authorization_endpoint"`
		Token     string `json:"token_endpoint"`
		Device    string `json:"device_authorization_endpoint"`
		UserInfo  string `json:"userinfo_endpoint"`
	}
	_, metadata := read(issuer+"/.well-known/oauth-authorization-server", "")
	if err := json.Unmarshal([]byte(metadata), &endpoints); err != nil {
		panic(err)
	}
	// Without a style of authentication, the library tries out which one the server takes.
	endpoint := oauth2.Endpoint{AuthURL: endpoints.Authorize, TokenURL: endpoints.Token, DeviceAuthURL: endpoints.Device}
	site := &oauth2.Config{ClientID: told.Site, ClientSecret: told.Secret, RedirectURL: told.OnServer, Scopes: scopes, Endpoint: endpoint}
	program := &oauth2.Config{ClientID: told.Program, RedirectURL: told.OnDevice, Scopes: scopes, Endpoint: endpoint}

	tokens := signIn(site)
	_, info := read(endpoints.UserInfo, tokens.AccessToken)
	var claims struct{ Name string }
	if err := json.Unmarshal([]byte(info), &claims); err != nil {
		panic(err)
	}
	denied := code(program, oauth2.GenerateVerifier(), true).Get("error")
	other := code(program, oauth2.GenerateVerifier(), false).Get("code")
	_, wrongVerifier := program.Exchange(ctx, other, oauth2.VerifierOption(oauth2.GenerateVerifier()))
	first := signIn(program)
	second := must(refresh(program, first.RefreshToken))
	third := must(refresh(program, second.RefreshToken))
	_, reuse := refresh(program, first.RefreshToken)
	_, family := refresh(program, third.RefreshToken)
	isRotated := first.RefreshToken != second.RefreshToken && second.RefreshToken != third.RefreshToken
	allowed := must(device(program, false))
	_, refused := device(program, true)
	seen := map[string]any{
		"scope":         tokens.Extra("scope"),
		"userInfo":      claims.Name,
		"denied":        denied,
		"wrongVerifier": errorOf(wrongVerifier),
		"refresh":       map[string]any{"isRotated": isRotated, "reuse": errorOf(reuse), "family": errorOf(family)},
		"device":        map[string]any{"allowed": call(allowed.AccessToken), "denied": errorOf(refused)},
	}
	fmt.Println(string(must(json.Marshal(seen))))
}
