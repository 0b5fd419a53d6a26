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
} from '@dnd-kit/sortable'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Photo } from '@keyturn/contract/kit/photo.ts'
import { type ReactNode, useState } from 'react'
import { PhotoGallery } from '../../ui/deal/photo-gallery.tsx'
import { PhotoTile } from './photo-tile.tsx'
import classes from './photos.module.css'
import type { PhotoActs } from './photos-card.tsx'

const texts = carTexts.photos

type PhotoListProps = {
  name: string
  photos: readonly Photo[]
  isFixed: boolean
  acts: Pick<PhotoActs, 'order' | 'caption' | 'remove'>
  /** Those that are on their way. */
  children: ReactNode
}

/** Photos in order: dragged with mouse and finger, or with the arrow keys on their handle. */
export function PhotoList({ name, photos, isFixed, acts, children }: PhotoListProps) {
  const [moved, setMoved] = useState<string[] | null>(null)
  const shown = inOrder(photos, moved)
  const ids = shown.map(({ id }) => id)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls the page.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const end = ({ active, over }: DragEndEvent) => {
    const [from, to] = [ids.indexOf(String(active.id)), ids.indexOf(String(over?.id))]
    if (to < 0 || from === to) return
    const wanted = arrayMove(ids, from, to)
    setMoved(wanted)
    void acts.order(wanted).finally(() => setMoved(null))
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

/** As they were moved here, until the server's list is there; another's change shows at once. */
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
