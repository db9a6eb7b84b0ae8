# docker build --tag telex .
# docker buildx build --platform linux/amd64,linux/arm64 --tag telex .
ARG NODE=26.10.0-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /build
COPY . .
# Builds the packages and packs them, as they would be published.
RUN npm run -s setup && npm run -s build && npm run -s pnpm -- -r --filter "./packages/*" pack --pack-destination /packed

FROM node:${NODE} AS install
COPY --from=build /packed /packed
# sharp brings a binary for each platform: it is installed on the platform of the image.
RUN npm install --prefix /opt/telex --omit=dev --no-audit --no-fund /packed/telex-cli-*.tgz /packed/telex-web-*.tgz /packed/telex-reference-*.tgz

FROM node:${NODE}
RUN groupadd --system --gid 10001 telex \
  && useradd --system --uid 10001 --gid telex --home-dir /data --no-create-home --shell /usr/sbin/nologin telex \
  && install -d -m 0700 -o telex -g telex /data \
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
COPY --from=install /opt/telex /opt/telex
RUN ln -s /opt/telex/node_modules/@telex/cli/bin/telex.cjs /usr/local/bin/telex
# With one arena of malloc, memory that the threads of the compilers have freed serves the whole process.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 TELEX_HOST=0.0.0.0 TELEX_PORT=7700 TELEX_DATA=/data
USER 10001:10001
VOLUME /data
WORKDIR /data
EXPOSE 7700
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.TELEX_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["telex"]
CMD ["serve"]
