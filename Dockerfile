# A server for an external PostgreSQL: about 255 MB, without a shell, as an unprivileged user. The
# root file system may be read-only; it writes to /data and /tmp.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY . .
# Like tools/install.mjs: `npm ci` requires the binaries of every platform.
RUN npm install --no-save --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && node tools/build.mjs --quiet \
  && node operations/pack.mjs /packed \
  && mkdir -p /packed/data/photos

# cc-debian12:nonroot by digest, because it has no tag with an exact version.
FROM gcr.io/distroless/cc-debian12@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build --chown=65532:65532 /packed/data /data
COPY --from=build /packed/package.json /srv/keyturn/package.json
COPY --from=build /packed/node_modules /srv/keyturn/node_modules
COPY --from=build /packed/server /srv/keyturn/server
COPY --from=build /packed/dist /srv/keyturn/dist
WORKDIR /srv/keyturn
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data LOG_TO=stdout
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "dist/server/main.js"]
