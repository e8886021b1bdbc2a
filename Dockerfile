# The server's image, from the wheel: make wheel && docker build --tag croupier .
# It has Debian's own Python, so that security updates come with the base image.

FROM debian:13-slim AS base
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates python3 tzdata \
 && rm -rf /var/lib/apt/lists/*

FROM base AS environment
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
RUN python3 -m venv /opt/croupier
COPY requirements-image.lock ./
RUN /opt/croupier/bin/pip install --no-cache-dir --require-hashes --requirement requirements-image.lock
COPY dist/*.whl /dist/
RUN /opt/croupier/bin/pip install --no-deps --no-index /dist/*.whl \
 && /opt/croupier/bin/pip uninstall --yes pip

FROM base
COPY --from=environment /opt/croupier /opt/croupier
# A new volume takes over the owner of this folder.
RUN install --directory --owner=10001 --group=10001 --mode=0700 /var/lib/croupier
ENV PATH=/opt/croupier/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
VOLUME /var/lib/croupier
WORKDIR /var/lib/croupier
# Pages, WebSocket, and the admin port, which has no sign-in: publish it to supervisors only.
EXPOSE 8000 8001 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:9464/readyz', timeout=3)"]
ENTRYPOINT ["croupier"]
CMD ["serve", "--data", "/var/lib/croupier", "--host", "0.0.0.0", "--admin-host", "0.0.0.0", \
     "--admin-port", "9464", "--drain-seconds", "120", "--log-format", "json"]
