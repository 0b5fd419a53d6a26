import { buildIfChanged } from '../../../tools/build.mjs'

/** Builds what `npm start` would serve. */
export default async function buildFirst() {
  if (!process.env.KEYTURN_DIST) await buildIfChanged()
}
