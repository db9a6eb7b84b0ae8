/**
 * The script of forms that offer passkeys. It gets options from the server, asks the browser, and submits the form with the answer.
 * The browser also forgets a passkey that the server does not accept.
 */
export const passkeyScript = `
addEventListener("DOMContentLoaded", () => {
  const part = document.querySelector("[data-passkey]");
  const passkeys = window.PublicKeyCredential;
  if (!part || !passkeys || !passkeys.parseRequestOptionsFromJSON) return;
  const { passkey: way, options, rp, sends, forget, failed } = part.dataset;
  if (forget && passkeys.signalUnknownCredential)
    passkeys.signalUnknownCredential({ rpId: rp, credentialId: forget }).catch(() => {});
  const host = location.hostname;
  if (host !== rp && !host.endsWith("." + rp)) return;
  const field = part.querySelector("input");
  const problem = part.querySelector("[role=alert]");
  const { form } = field;
  const named = (name) => form.elements.namedItem(name);
  let isListed = false;
  let running = new AbortController();
  let isClicked = false;
  const optionsOf = async (signal) => {
    const body = {};
    for (const name of sends.split(" ")) if (named(name)) body[name] = named(name).value.trim();
    const headers = { "content-type": "application/json", "accept-language": document.documentElement.lang };
    const response = await fetch(options, { method: "POST", headers, body: JSON.stringify(body), signal });
    const { data, msg } = await response.json();
    if (!response.ok) throw Object.assign(new Error(msg), { told: msg });
    return way === "create" ? passkeys.parseCreationOptionsFromJSON(data) : passkeys.parseRequestOptionsFromJSON(data);
  };
  const ask = async (mediation) => {
    running.abort();
    const { signal } = (running = new AbortController());
    const publicKey = await optionsOf(signal);
    const used = await navigator.credentials[way]({ publicKey, signal, ...mediation });
    field.value = JSON.stringify(used);
    form.submit();
  };
  const list = () => {
    if (isListed && !isClicked) ask({ mediation: "conditional" }).catch(() => {});
  };
  part.hidden = false;
  part.querySelector("button").addEventListener("click", async () => {
    const name = named("username");
    if (way === "create" && name && !name.reportValidity()) return;
    problem.hidden = isClicked = true;
    await ask({}).catch(({ told }) => {
      problem.textContent = told || failed;
      problem.hidden = isClicked = false;
      list();
    });
  });
  if ("list" in part.dataset && passkeys.isConditionalMediationAvailable)
    passkeys.isConditionalMediationAvailable().then((can) => {
      isListed = can;
      if (!can) return;
      list();
      setInterval(list, 480000);
    });
});
`;
