import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { caption as captionField, type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { ActionIcon, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { errorMessageOf } from '../../../api/errors.ts'
import { PhotoGallery, PhotoLink } from '../../../components/display/photo-gallery.tsx'
import { PhotoPicture } from '../../../components/display/photo-picture.tsx'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { IconGripVertical, IconTrash } from '../../../components/icons.tsx'
import classes from './photos.module.css'
import type { PhotoActions } from './photos-card.tsx'

const texts = carTexts.photos

type PhotoListProps = {
  name: string
  photos: readonly Photo[]
  isFixed: boolean
  acts: Pick<PhotoActions, 'order' | 'caption' | 'remove'>
  children: ReactNode
}

/**
 * Lists photos in order. They are reordered by dragging, or with the arrow keys on their handle.
 */
export function PhotoList({ name, photos, isFixed, acts, children }: PhotoListProps) {
  const [moved, setMoved] = useState<string[] | null>(null)
  const shown = inOrder(photos, moved)
  const ids = shown.map(({ id }) => id)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves right after the touch scrolls the page instead.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const end = ({ active, over }: DragEndEvent) => {
    const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(over?.id))]
    if (to < 0 || from === to) return
    const order = arrayMove(ids, from, to)
    setMoved(order)
    void acts.order(order).finally(() => setMoved(null))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        announcements: announcementsFor(ids),
        screenReaderInstructions: { draggable: texts.moveHow },
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <PhotoGallery name={name}>
          <ul className={classes.list}>
            {shown.map((photo, at) => (
              <PhotoTile
                key={photo.id}
                photo={photo}
                at={at}
                count={shown.length}
                isFixed={isFixed}
                acts={acts}
              />
            ))}
            {children}
          </ul>
        </PhotoGallery>
      </SortableContext>
    </DndContext>
  )
}

/** Applies the local order until the server's list arrives or another window has changed it. */
function inOrder(photos: readonly Photo[], moved: string[] | null): readonly Photo[] {
  const known = new Map(photos.map((photo) => [photo.id, photo]))
  const ordered = (moved ?? []).flatMap((id) => known.get(id) ?? [])
  return ordered.length === photos.length ? ordered : photos
}

function announcementsFor(ids: readonly string[]): Announcements {
  const place = (id: UniqueIdentifier | undefined) => ids.indexOf(String(id)) + 1
  return {
    onDragStart: ({ active }) => texts.lifted(place(active.id), ids.length),
    onDragOver: ({ over }) => (over ? texts.over(place(over.id), ids.length) : undefined),
    onDragEnd: ({ over }) => (over ? texts.dropped(place(over.id), ids.length) : texts.notMoved),
    onDragCancel: () => texts.notMoved,
  }
}

const sizes = '(max-width: 48em) 50vw, 220px'

type PhotoTileProps = {
  photo: Photo
  at: number
  count: number
  isFixed: boolean
  acts: Pick<PhotoActions, 'caption' | 'remove'>
}

function PhotoTile({ photo, at, count, isFixed, acts }: PhotoTileProps) {
  const sortable = useSortable({ id: photo.id, disabled: isFixed })
  const [isDeleting, setDeleting] = useState(false)
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    sortable
  const place = at + 1
  return (
    <li
      ref={setNodeRef}
      className={classes.tile}
      data-dragging={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className={classes.picture} {...(isFixed ? {} : listeners)}>
        {isFixed ? (
          <PhotoLink photo={photo} at={at} count={count} sizes={sizes} className={classes.photo} />
        ) : (
          <PhotoPicture
            photo={photo}
            sizes={sizes}
            alt={photo.caption || texts.alt(place, count)}
            className={classes.photo}
          />
        )}
        {at === 0 && <span className={classes.first}>{texts.first}</span>}
      </div>
      {isFixed ? (
        photo.caption && <p className={classes.caption}>{photo.caption}</p>
      ) : (
        <>
          <CaptionField photo={photo} place={place} onSave={acts.caption} />
          <div className={classes.tools}>
            <ActionIcon
              ref={setActivatorNodeRef}
              {...attributes}
              {...listeners}
              className={classes.handle}
              variant="subtle"
              aria-label={texts.move(place, count)}
            >
              <IconGripVertical size={20} stroke={1.75} />
            </ActionIcon>
            <ActionIcon variant="subtle" aria-label={texts.delete(place)} onClick={() => setDeleting(true)}>
              <IconTrash size={20} stroke={1.75} />
            </ActionIcon>
          </div>
        </>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirm={texts.deleteConfirm}
          working={texts.deleting}
          danger
          failed={texts.failed}
          onConfirm={() => acts.remove(photo.id).then(() => setDeleting(false))}
          onClose={() => setDeleting(false)}
        >
          {texts.deleteQuestion}
        </ConfirmDialog>
      )}
    </li>
  )
}

type CaptionFieldProps = { photo: Photo; place: number; onSave: PhotoActions['caption'] }

/** Saves on blur or Enter. A rejected caption stays in the field, so that it can be corrected. */
function CaptionField({ photo, place, onSave }: CaptionFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const save = async () => {
    if (text === null) return
    const parsed = captionField.safeParse(text)
    if (!parsed.success) return setFault(parsed.error.issues[0]?.message ?? null)
    try {
      if (parsed.data !== photo.caption) await onSave(photo.id, parsed.data)
      setText(null)
      setFault(null)
    } catch (error) {
      setFault(errorMessageOf(error, texts.failed).sentence)
    }
  }
  return (
    <TextInput
      size="sm"
      aria-label={texts.captionOf(place)}
      placeholder={texts.captionHint}
      maxLength={photoBounds.caption}
      value={text ?? photo.caption}
      error={fault}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={({ key }) => key === 'Enter' && void save()}
    />
  )
}
