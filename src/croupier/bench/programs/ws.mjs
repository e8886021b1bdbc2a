// Node `ws`: answers each text with itself; a text that begins with t goes to everybody, with b in its place.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });

sockets.on("connection", (socket) => {
  socket.on("message", (data) => {
    const text = data.toString();
    if (text[0] === "t") {
      const broadcast = "b" + text.slice(1);
      for (const one of sockets.clients) one.send(broadcast);
    } else {
      socket.send(text);
    }
  });
});

server.listen(0, "127.0.0.1", 4096, () => {
  console.log(JSON.stringify({ port: server.address().port, paths: ["/"] }));
});
