import type { Config } from '../../../config.ts'

/** Where the seal's key is: the operator's file, or one that is made once and kept in the data folder. */
export type SealSource = { own: { p12: string; password: string } | null; dataDir: string; host: string }

export const sealSourceOf = ({ seal, dataDir, publicUrl }: Config): SealSource => ({
  own: seal,
  dataDir,
  host: publicUrl.host,
})
