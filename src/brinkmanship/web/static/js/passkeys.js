/* Passkeys: a form with data-passkey asks the server for options, the authenticator for a credential, and then sends
   itself with the credential. */
"use strict";
{
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withBytes = (list) => (list ?? []).map((each) => ({ ...each, id: bytes(each.id) }));

async function created(options) {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  };
  const { id, rawId, type, response } = await navigator.credentials.create({ publicKey });
  return { id, rawId: text(rawId), type, response: {
    clientDataJSON: text(response.clientDataJSON), attestationObject: text(response.attestationObject) } };
}

async function found(options) {
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: withBytes(options.allowCredentials) };
  const { id, rawId, type, response } = await navigator.credentials.get({ publicKey });
  return { id, rawId: text(rawId), type, response: {
    clientDataJSON: text(response.clientDataJSON), authenticatorData: text(response.authenticatorData),
    signature: text(response.signature), userHandle: response.userHandle ? text(response.userHandle) : null } };
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const problem = form.querySelector("[role=alert]");
  if (!window.PublicKeyCredential) form.hidden = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    try {
      const csrf = form.querySelector("[name=csrf]").value;
      const answer = await fetch(form.dataset.options, { method: "POST", body: new URLSearchParams({ csrf }) });
      if (!answer.ok) throw new Error(answer.status);
      const options = await answer.json();
      const credential = await (form.dataset.passkey === "create" ? created(options) : found(options));
      form.querySelector("[name=credential]").value = JSON.stringify(credential);
      form.submit();
    } catch {  // refused by the person, their device, or the server
      problem.hidden = false;
    }
  });
}
}
