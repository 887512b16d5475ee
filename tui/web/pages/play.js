// Tells the terminal where its socket is, from the address of this page, and gives it the keyboard once it paints.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const socket = new URL("ws", location.href);
  socket.protocol = socket.protocol.replace("http", "ws");
  document.querySelector("#terminal").dataset.sessionWebsocketUrl = socket.href;
  const painted = new MutationObserver(() => {
    if (document.body.classList.contains("-first-byte")) {
      painted.disconnect();
      document.querySelector(".xterm-helper-textarea").focus();
    }
  });
  painted.observe(document.body, { attributeFilter: ["class"] });
});
