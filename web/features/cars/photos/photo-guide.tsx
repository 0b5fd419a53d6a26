import { type PhotoShot, photoShots, shotNames, takenShots } from '@keyturn/contract/cars/photo-shots.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { photoTypes } from '@keyturn/contract/shared/photo.ts'
import { Button, FileButton, Group, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { isFocusLost } from '../../../components/feedback/focus.ts'
import { guardMs } from '../../../components/feedback/guard-presses.ts'
import { IconCamera, IconCheck } from '../../../components/icons.tsx'
import classes from './photos.module.css'

const texts = carTexts.photos.guide

type PhotoGuideProps = {
  /** The captions of stored photos and of those being sent. */
  captions: readonly string[]
  onShot: (file: File, caption: string) => void
}

/** Eight shots with their outlines. A shot is taken or skipped in any order (R-cars-37). */
export function PhotoGuide({ captions, onShot }: PhotoGuideProps) {
  const [skipped, setSkipped] = useState<readonly PhotoShot[]>([])
  const taken = takenShots(captions)
  const missing = shotNames.filter((shot) => !taken.includes(shot))
  const next = missing.find((shot) => !skipped.includes(shot))
  const status = useRef<HTMLParagraphElement>(null)
  const skippedAt = useRef(Number.NEGATIVE_INFINITY)
  /** The buttons go with the last shot. */
  const keepFocus = () => requestAnimationFrame(() => isFocusLost() && status.current?.focus())
  const take = (shot: PhotoShot) => (file: File | null) => {
    if (!file) return
    onShot(file, photoShots[shot].name)
    keepFocus()
  }
  const skip = (shot: PhotoShot, at: number) => {
    // The second tap of a double tap is about the shot that was skipped.
    if (at - skippedAt.current < guardMs) return
    skippedAt.current = at
    setSkipped([...skipped, shot])
    keepFocus()
  }
  return (
    <div className={classes.guide}>
      <Group justify="space-between" gap="xs">
        <h3 className={classes.guideTitle}>{texts.title}</h3>
        <Text size="sm" c="dimmed">
          {texts.taken(taken.length, shotNames.length)}
        </Text>
      </Group>
      <ul className={classes.shots}>
        {shotNames.map((shot) => {
          const isTaken = taken.includes(shot)
          const { name } = photoShots[shot]
          return (
            <li key={shot}>
              <ShotButton onFile={take(shot)}>
                {(button) => (
                  <UnstyledButton
                    {...button}
                    className={classes.shot}
                    data-taken={isTaken || undefined}
                    data-next={shot === next || undefined}
                    aria-label={isTaken ? texts.isTaken(name) : name}
                  >
                    <svg
                      className={classes.outline}
                      data-mirrored={shot === 'passengerSide' || undefined}
                      viewBox="0 0 64 40"
                      aria-hidden="true"
                      focusable="false"
                    >
                      <path d={outlines[shot]} />
                    </svg>
                    {name}
                    {isTaken && <IconCheck className={classes.check} size={16} stroke={2.5} />}
                  </UnstyledButton>
                )}
              </ShotButton>
            </li>
          )
        })}
      </ul>
      <Text ref={status} size="sm" role="status" tabIndex={-1}>
        {next ? photoShots[next].hint : missing.length > 0 ? texts.skipped : texts.done}
      </Text>
      {next && (
        <Group gap="sm">
          <ShotButton onFile={take(next)}>
            {(button) => (
              <Button {...button} variant="default" leftSection={<IconCamera size={20} />}>
                {texts.take(photoShots[next].name)}
              </Button>
            )}
          </ShotButton>
          <Button variant="subtle" onClick={({ timeStamp }) => skip(next, timeStamp)}>
            {texts.skip(photoShots[next].name)}
          </Button>
        </Group>
      )}
    </div>
  )
}

type ShotButtonProps = {
  onFile: (file: File | null) => void
  children: (button: { onClick: () => void }) => ReactNode
}

/** Opens the camera of a phone, and elsewhere the file picker. */
const ShotButton = ({ onFile, children }: ShotButtonProps) => (
  <FileButton accept={photoTypes.join(',')} capture="environment" onChange={onFile}>
    {children}
  </FileButton>
)

const side =
  'M11 28H5v-6l2-3 11-2 9-8h14l9 8 7 2 3 3v6h-6M21 28h22M16 23a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM48 23a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM23 17h22M34 9v8'
const tail = 'M12 31V20l5-2 5-9h20l5 9 5 2v11zM19 18h26M15 31v4h5v-4M44 31v4h5v-4'

const outlines: Record<PhotoShot, string> = {
  front:
    'M6 22v7l20 2v-9zM6 22l4-4h18l-2 4M10 18l8-9h24l12 8M28 18l6-9M28 18l26-1 5 4v6l-2 1M26 31h5M43 30l5-1M11 26h10M37 25a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM53 23a4 5 0 1 0 0 10 4 5 0 0 0 0-10Z',
  driverSide: side,
  rear: `${tail}M15 23h6M43 23h6M26 23h12v5H26z`,
  passengerSide: side,
  interior:
    'M32 6a14 14 0 1 0 0 28 14 14 0 0 0 0-28ZM32 16a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM18 20h10M36 20h10M32 24v10',
  odometer: 'M12 32a20 20 0 1 1 40 0M32 30l8-13M17 21l3 2M47 21l-3 2M32 12v3M22 30h-4M46 30h-4M24 36h16',
  vinPlate: 'M8 11h48v18H8zM13 16h6M45 16h6M14 23h3M21 23h3M28 23h3M35 23h3M42 23h3M49 23h2',
  damage: 'M13 35V18l9-11h24l5 11v17zM13 18h38M43 23h4M22 29l5-4 3 5 6-6 4 4',
}
