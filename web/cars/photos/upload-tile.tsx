import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, Progress, Text } from '@mantine/core'
import { toldOf } from '../../wire/refusals.ts'
import classes from './photos.module.css'
import type { Upload } from './uploads.ts'

const texts = carTexts.photos

type UploadTileProps = { upload: Upload; onRetry: () => void; onCancel: () => void }

/** A picture on its way: what it is, how far it is, and the way out. */
export function UploadTile({ upload, onRetry, onCancel }: UploadTileProps) {
  const { name, preview, state, share, fault } = upload
  const told = state === 'failed' ? toldOf(fault, texts.notSent) : null
  return (
    <li className={classes.tile} aria-label={name}>
      <div className={classes.picture}>
        {preview ? <img src={preview} alt="" className={classes.photo} /> : <div className={classes.photo} />}
      </div>
      {told ? (
        <Text size="sm" role="alert">
          {told.sentence}
        </Text>
      ) : (
        <>
          <Progress value={share * 100} animated={state === 'drawing'} aria-label={texts.progressOf(name)} />
          <Text size="sm" c="dimmed">
            {texts.states[state === 'failed' ? 'sending' : state]}
          </Text>
        </>
      )}
      <div className={classes.tools}>
        {told?.mayTryAgain && (
          <Button size="sm" variant="default" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
        <Button size="sm" variant="subtle" onClick={onCancel} aria-label={texts.cancelOf(name)}>
          {told ? texts.dismiss : texts.cancel}
        </Button>
      </div>
    </li>
  )
}
