import { openTappedPhoto } from '../../components/display/open-tapped-photo.ts'

/** Opens photos on top of the page (R-cars-31). */
export function enablePhotoViewer(): void {
  // A reload while photos are open leaves the page at the history entry of the photos.
  if (history.state?.photos) history.back()
  addEventListener('click', openTappedPhoto)
}
