"""uvicorn's HTTP protocol, with the headers and the log of this server where it answers by itself."""

from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.gateway.http_headers import DENY_ALL, NO_STORE, SECURITY_HEADERS


class HttpProtocol(HttpToolsProtocol):
    """Requests that can't be parsed get the security headers too; WebSockets belong on the other port."""

    def send_400_response(self, msg: str) -> None:
        headers = {**SECURITY_HEADERS, "Content-Security-Policy": DENY_ALL, "Cache-Control": NO_STORE}
        headers |= {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(msg))}
        lines = [f"{name}: {value}" for name, value in (*headers.items(), ("Connection", "close"))]
        status = HTTPStatus.BAD_REQUEST
        head = "\r\n".join([f"HTTP/1.1 {status} {status.phrase}", *lines, "", ""])
        self.transport.write(head.encode() + msg.encode())
        self.transport.close()

    def _unsupported_upgrade_warning(self) -> None:
        """The request is answered as one without the upgrade: no client of ours asks for it here."""
