"""uvicorn's HTTP protocol with this server's headers on responses that uvicorn generates itself."""

from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.gateway.http_headers import DENY_ALL, NO_STORE, SECURITY_HEADERS


class HttpProtocol(HttpToolsProtocol):
    """An HTTP protocol whose error responses have the security headers, without WebSockets."""

    def send_400_response(self, msg: str) -> None:
        headers = {**SECURITY_HEADERS, "Content-Security-Policy": DENY_ALL, "Cache-Control": NO_STORE}
        headers |= {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(msg))}
        lines = [f"{name}: {value}" for name, value in (*headers.items(), ("Connection", "close"))]
        status = HTTPStatus.BAD_REQUEST
        head = "\r\n".join([f"HTTP/1.1 {status} {status.phrase}", *lines, "", ""])
        self.transport.write(head.encode() + msg.encode())
        self.transport.close()

    def _unsupported_upgrade_warning(self) -> None:
        """Don't log a warning: the request is handled without the upgrade, which no client needs here."""
