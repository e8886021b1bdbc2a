// Colyseus: the same in one room. Seats are reserved for as many as the command line gives.
import { createServer } from "node:http";
import { Room, Server, matchMaker } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

class Table extends Room {
  maxClients = Infinity;
  maxMessagesPerSecond = Infinity;
  autoDispose = false;
  patchRate = null;
  seatReservationTimeout = 600;

  onCreate() {
    this.onMessage("e", (client, text) => client.send("e", text));
    this.onMessage("t", (_client, text) => this.broadcast("b", text));
  }
}

// Colyseus greets on standard output; the bench reads one line of JSON there.
const print = console.log;
console.log = console.info = (...words) => console.error(...words);

const http = createServer();
const transport = new WebSocketTransport({ server: http, pingInterval: 0 });
const server = new Server({ greet: false, transport });
server.define("table", Table);
await server.listen(0, "127.0.0.1", 4096);

const paths = [];
for (let seat = 0; seat < Number(process.argv[2]); seat++) {
  const { sessionId, roomId, processId } = await matchMaker.joinOrCreate("table", {});
  paths.push(`/${processId}/${roomId}?sessionId=${sessionId}`);
}
print(JSON.stringify({ port: http.address().port, paths }));
