import { openTappedPhoto } from '../../components/display/open-tapped-photo.ts'

/** Photos open over the page (R-cars-31). */
export function enablePhotoViewer(): void {
  // A reload with open photos leaves the page at the photos' history entry.
  if (history.state?.photos) history.back()
  addEventListener('click', openTappedPhoto)
}
