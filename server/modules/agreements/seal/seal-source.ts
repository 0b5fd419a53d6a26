import type { Config } from '../../../config.ts'

/** The seal's key: the operator's file, or one generated in the data folder. */
export type SealSource = { own: { p12: string; password: string } | null; dataDir: string; host: string }

export const toSealSource = ({ seal, dataDir, publicUrl }: Config): SealSource => ({
  own: seal,
  dataDir,
  host: publicUrl.host,
})
