import sharp, { type Sharp } from 'sharp'

/** Draws noise of three sizes, which compresses as badly as leaves and gravel. */
export async function drawNoise(width: number, height: number): Promise<Sharp> {
  const layer = (scale: number, sigma: number) =>
    sharp({
      create: {
        width: Math.ceil(width / scale),
        height: Math.ceil(height / scale),
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .resize(width, height, { fit: 'fill' })
      .png({ compressionLevel: 0 })
      .toBuffer()
  const layers = [await layer(60, 40), await layer(8, 20), await layer(1, 6)]
  const { data, info } = await sharp({ create: { width, height, channels: 3, background: '#777' } })
    .composite(layers.map((input) => ({ input, blend: 'soft-light' })))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: { width, height, channels: info.channels } })
}
