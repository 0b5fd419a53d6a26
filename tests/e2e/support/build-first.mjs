import { buildIfChanged } from '../../../tools/build.mjs'

/** The journeys test what `npm start` would serve. */
export default async function buildFirst() {
  if (!process.env.KEYTURN_DIST) await buildIfChanged()
}
