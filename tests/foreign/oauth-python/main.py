"""Signs in to Telex with a library, and prints what it saw: main.py authlib|requests <issuer> <person> <applications>"""

import json
import os
import secrets
import sys
from urllib.parse import parse_qs, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from joserfc import jwt
from joserfc.jwk import KeySet

library, issuer, person, told = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
meta = requests.get(f"{issuer}/.well-known/openid-configuration").json()
assert meta["issuer"] == issuer
token_url = meta["token_endpoint"]
scope = "openid profile chat"
device_grant = "urn:ietf:params:oauth:grant-type:device_code"


def ask(path, **query):
    response = requests.get(f"{person}/{path}", params=query)
    response.raise_for_status()
    return response.text


def walk(url, deny=False):
    return ask("walk", url=url, **({"deny": "1"} if deny else {}))


def answer(code, deny):
    return ask("answer", code=code, **({"deny": "1"} if deny else {}))


def call(token):
    return requests.get(
        f"{issuer}/external/api/v1/oauth2/userId", headers={"Authorization": f"Bearer {token}"}
    ).status_code


def error_of(function, *args, **named):
    try:
        function(*args, **named)
    except Exception as error:
        return getattr(error, "error", repr(error))
    return "no error"


def device_codes():
    return requests.post(meta["device_authorization_endpoint"], data={"client_id": told["program"], "scope": scope}).json()


class Authlib:
    def session(self, is_site):
        from authlib.integrations.requests_client import OAuth2Session

        return OAuth2Session(
            told["site"] if is_site else told["program"],
            told["secret"] if is_site else None,
            token_endpoint_auth_method="client_secret_basic" if is_site else "none",
            redirect_uri=told["onServer"] if is_site else told["onDevice"],
            scope=scope,
            code_challenge_method="S256",
        )

    def sign_in(self, session, deny=False, wrong=None):
        from authlib.integrations.base_client import OAuthError

        verifier = secrets.token_urlsafe(48)
        url, state = session.create_authorization_url(meta["authorization_endpoint"], code_verifier=verifier)
        back = walk(url, deny)
        # The library leaves an error in the address to its caller.
        if "error" in (answer := parse_qs(urlsplit(back).query)):
            raise OAuthError(answer["error"][0])
        return session.fetch_token(
            token_url, authorization_response=back, state=state, code_verifier=wrong or verifier
        )

    def refresh(self, session, token):
        return session.refresh_token(token_url, refresh_token=token)

    def device(self, session, code):
        return session.fetch_token(token_url, grant_type=device_grant, device_code=code)

    def introspect(self, session, token):
        return session.introspect_token(meta["introspection_endpoint"], token=token).json()["active"]

    def revoke(self, session, token):
        session.revoke_token(meta["revocation_endpoint"], token=token).raise_for_status()


class RequestsOauthlib:
    def session(self, is_site):
        from requests_oauthlib import OAuth2Session

        session = OAuth2Session(
            told["site"] if is_site else told["program"],
            redirect_uri=told["onServer"] if is_site else told["onDevice"],
            scope=scope.split(" "),
            pkce="S256",
        )
        session.is_site = is_site
        return session

    def sign_in(self, session, deny=False, wrong=None):
        url, _ = session.authorization_url(meta["authorization_endpoint"])
        back = walk(url, deny)
        proof = {"client_secret": told["secret"]} if session.is_site else {"include_client_id": True}
        if wrong is not None:
            session._code_verifier = wrong
        return session.fetch_token(token_url, authorization_response=back, **proof)

    def refresh(self, session, token):
        return session.refresh_token(token_url, refresh_token=token, client_id=told["program"])

    def device(self, session, code):
        from oauthlib.oauth2 import DeviceClient

        client = DeviceClient(told["program"])
        body = client.prepare_request_body(code, include_client_id=True)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return client.parse_request_body_response(requests.post(token_url, data=body, headers=headers).text)

    def introspect(self, session, token):
        proof = (told["site"], told["secret"])
        return requests.post(meta["introspection_endpoint"], data={"token": token}, auth=proof).json()["active"]

    def revoke(self, session, token):
        client = session._client
        url, headers, body = client.prepare_token_revocation_request(meta["revocation_endpoint"], token)
        requests.post(url, data=body, headers=headers, auth=(told["site"], told["secret"])).raise_for_status()


use = Authlib() if library == "authlib" else RequestsOauthlib()

site = use.session(True)
tokens = use.sign_in(site)
keys = KeySet.import_key_set(requests.get(meta["jwks_uri"]).json())
claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
jwt.JWTClaimsRegistry(iss={"value": issuer}, aud={"value": told["site"]}).validate(claims)
info = site.get(meta["userinfo_endpoint"]).json()
active, before = use.introspect(site, tokens["access_token"]), call(tokens["access_token"])
use.revoke(site, tokens["refresh_token"])
ended, after = use.introspect(site, tokens["access_token"]), call(tokens["access_token"])

program = use.session(False)
denied = error_of(use.sign_in, use.session(False), deny=True)
wrong_verifier = error_of(use.sign_in, use.session(False), wrong=secrets.token_urlsafe(48))
first = use.sign_in(program)["refresh_token"]
second = use.refresh(program, first)["refresh_token"]
third = use.refresh(program, second)["refresh_token"]

allowed, refused = device_codes(), device_codes()
pending = error_of(use.device, use.session(False), allowed["device_code"])
answer(allowed["user_code"], False)
answer(refused["user_code"], True)
seen = {
    "scope": " ".join(tokens["scope"].split(" ") if isinstance(tokens["scope"], str) else tokens["scope"]),
    "idToken": claims["name"],
    "userInfo": info["name"],
    "active": [active, ended],
    "calls": [before, after],
    "denied": denied,
    "wrongVerifier": wrong_verifier,
    "refresh": {
        "isRotated": len({first, second, third}) == 3,
        "reuse": error_of(use.refresh, program, first),
        "family": error_of(use.refresh, program, third),
    },
    "device": {
        "pending": pending,
        "allowed": call(use.device(use.session(False), allowed["device_code"])["access_token"]),
        "denied": error_of(use.device, use.session(False), refused["device_code"]),
    },
}
print(json.dumps(seen))
