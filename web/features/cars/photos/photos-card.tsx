import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { type Photo, photoBounds, photoTypes } from '@keyturn/contract/shared/photo.ts'
import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { errorMessageOf } from '../../../api/errors.ts'
import { Failure } from '../../../components/feedback/failure.tsx'
import { IconCamera, IconPhotoPlus } from '../../../components/icons.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PhotoGuide } from './photo-guide.tsx'
import { PhotoList } from './photo-list.tsx'
import classes from './photos.module.css'
import { shrinkPhoto } from './shrink-photo.ts'
import { createUploads, type SendPhoto, type Upload } from './uploads.ts'

const texts = carTexts.photos

/**
 * The owner's actions on the photos of a car or trade. Each function throws the server's error.
 */
export type PhotoActions = {
  add: SendPhoto
  order: (photoIds: string[]) => Promise<unknown>
  caption: (photoId: string, caption: string) => Promise<unknown>
  remove: (photoId: string) => Promise<unknown>
}

type PhotosCardProps = {
  name: string
  photos: readonly Photo[]
  acts: PhotoActions
  /** The reason why nothing can be changed, if so. */
  fixed?: string
  /** The dialog already provides the title and the frame. */
  isInDialog?: boolean
  /** Leads through the shots that buyers look for (R-cars-37). */
  hasGuide?: boolean
}

/**
 * Adds photos by file picker, camera, drop or paste, and orders, captions and deletes them
 * (R-cars-23).
 */
export function PhotosCard({ name, photos, acts, fixed, isInDialog, hasGuide }: PhotosCardProps) {
  const uploads = useUploads(acts)
  const [fault, setFault] = useState<unknown>(null)
  const [isOver, setOver] = useState(false)
  const remaining = photoBounds.maxPhotos - photos.length - uploads.list.length
  const add = (files: Iterable<File>) => {
    if (fixed === undefined) uploads.add([...files].slice(0, Math.max(0, remaining)))
  }
  usePasteListener(add)
  const attempt = (work: Promise<unknown>) => {
    setFault(null)
    return work.catch(setFault)
  }
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (fixed !== undefined || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      add(event.dataTransfer.files)
    },
  }
  const mayAdd = fixed === undefined && remaining > 0
  return (
    <div className={classes.drop} data-over={isOver || undefined} {...drop}>
      <Frame
        title={isInDialog ? undefined : texts.title}
        action={<Text c="dimmed">{texts.count(photos.length)}</Text>}
      >
        <Text size="sm" c="dimmed">
          {fixed ?? (
            <>
              {photos.length === 0 ? (
                `${texts.empty} `
              ) : (
                <span className={classes.byTouch}>{texts.hintByTouch}</span>
              )}
              <span className={classes.byMouse}>
                {photos.length > 0 && `${texts.hint} `}
                {texts.byMouse}
              </span>
            </>
          )}
        </Text>
        <PhotoList
          name={name}
          photos={photos}
          isFixed={fixed !== undefined}
          acts={{ order: (ids) => attempt(acts.order(ids)), caption: acts.caption, remove: acts.remove }}
        >
          {uploads.list.map((one) => (
            <UploadTile
              key={one.key}
              upload={one}
              onRetry={() => uploads.retry(one.key)}
              onCancel={() => uploads.cancel(one.key)}
            />
          ))}
        </PhotoList>
        {fault !== null && <Failure sentence={texts.failed} fault={fault} />}
        {mayAdd && hasGuide && (
          <PhotoGuide
            captions={[...photos, ...uploads.list].map(({ caption }) => caption ?? '')}
            onShot={(file, caption) => uploads.add([file], caption)}
          />
        )}
        {mayAdd && (
          <Group gap="sm">
            <FileButton multiple accept={photoTypes.join(',')} onChange={add}>
              {(button) => (
                <Button {...button} variant="default" leftSection={<IconPhotoPlus size={20} />}>
                  {texts.add}
                </Button>
              )}
            </FileButton>
            <FileButton
              accept={photoTypes.join(',')}
              capture="environment"
              onChange={(file) => file && add([file])}
            >
              {(button) => (
                <Button
                  {...button}
                  className={classes.camera}
                  variant="default"
                  leftSection={<IconCamera size={20} />}
                >
                  {texts.take}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
        {fixed === undefined && remaining <= 0 && <Text size="sm">{texts.full}</Text>}
      </Frame>
    </div>
  )
}

function Frame({ title, action, children }: { title?: string; action: ReactNode; children: ReactNode }) {
  if (title)
    return (
      <Card title={title} action={action}>
        {children}
      </Card>
    )
  return <Stack gap="md">{children}</Stack>
}

/** Accepts pasted pictures anywhere on the screen except in a field. */
function usePasteListener(add: (files: Iterable<File>) => void) {
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'))
      if (files.length === 0) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

type UploadTileProps = { upload: Upload; onRetry: () => void; onCancel: () => void }

function UploadTile({ upload, onRetry, onCancel }: UploadTileProps) {
  const { name, preview, state, share, fault } = upload
  const message = state === 'failed' ? errorMessageOf(fault, texts.notSent) : null
  return (
    <li className={classes.tile} aria-label={name}>
      <div className={classes.picture}>
        {preview ? <img src={preview} alt="" className={classes.photo} /> : <div className={classes.photo} />}
      </div>
      {message ? (
        <Text size="sm" role="alert">
          {message.sentence}
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
        {message?.mayTryAgain && (
          <Button size="sm" variant="default" onClick={onRetry}>
            {texts.retry}
          </Button>
        )}
        <Button size="sm" variant="subtle" onClick={onCancel} aria-label={texts.cancelOf(name)}>
          {message ? texts.dismiss : texts.cancel}
        </Button>
      </div>
    </li>
  )
}

function useUploads({ add }: PhotoActions) {
  const [uploads] = useState(() => createUploads({ prepare: shrinkPhoto, send: add, pause: untilOnline }))
  useEffect(() => uploads.stop, [uploads])
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  return { ...uploads, list }
}

function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
