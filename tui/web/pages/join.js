// Hands the token of the link in, once, and takes it out of the address and the history.
"use strict";

async function join() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("join", { method: "POST", body: token });
  if (answer.ok) {
    location.replace("./");
    return;
  }
  document.querySelector("#told").textContent = token
    ? "This link was used already, in another browser perhaps, or is not valid any more. Ask for a new one."
    : "To play, open the link that was given to you.";
}

join().catch(() => {
  document.querySelector("#told").textContent = "The server does not answer. Open your link again in a while.";
});
