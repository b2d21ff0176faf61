# Made from docs/openapi*.json by `npm run client-types`.

from __future__ import annotations

from typing import Literal, Optional, Sequence

from ._sender import File, Made, Quoted, Sender
from .types import GroupFace, VideoFace

# Fields of files, in which a string is a path.
FILE_FIELDS = frozenset(["additionalSourceImages","file","image","photos","sourceImage","sourceImages","targetFace","targetGif","targetImage","targetImages","targetVideo","video"])


class PhotoForm(Sender[Made, Quoted]):
    def swap(
        self,
        *,
        target_image: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        additional_source_images: Optional[Sequence[File]] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Creates a task. A request that is sent again makes no second task. All files together have at most
        99614720 bytes.

        target_image: The target scene; its largest face is replaced. JPEG, PNG, WebP, GIF, BMP or HEIC/HEIF,
            by content; at most 31457280 bytes and 100000000 pixels.
        source_image: The face reference; its largest face is used. Required unless sourceFaceId is sent.
            JPEG, PNG, WebP, GIF, BMP or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
        source_face_id: The id of a saved face (POST /api/faces), instead of sourceImage and
            additionalSourceImages.
        additional_source_images: Up to four more photos of the person in sourceImage; the largest face of
            each is used. If one shows another person, the task fails. JPEG, PNG, WebP, GIF, BMP or HEIC/HEIF,
            by content; at most 31457280 bytes and 100000000 pixels.
        face_restore_visibility: How much detail is recovered in the swapped face, from 0 (none) to 1.
        restore_visibility: How strongly the target's own light, grain and sharpness are restored onto the
            swapped face; 0 is off.
        engine: What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).
        label: Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
            the operator decides.
        consent: Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
            kept and shown with the task. The operator may require it.
        """
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetImage": target_image,
            "additionalSourceImages": additional_source_images,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
        }
        return self._make(form, idempotency_key)

    def quote(
        self,
        *,
        target_image: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        additional_source_images: Optional[Sequence[File]] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
    ) -> Quoted:
        """Returns the price and warnings of a task without creating it."""
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetImage": target_image,
            "additionalSourceImages": additional_source_images,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
        }
        return self._quote(form)


class BatchForm(Sender[Made, Quoted]):
    def swap(
        self,
        *,
        mode: Literal["singleToMulti", "multiToSingle"],
        target_images: Sequence[File],
        source_images: Optional[Sequence[File]] = None,
        source_face_id: Optional[str] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Creates a task. A request that is sent again makes no second task. At most 20 files. All files
        together have at most 99614720 bytes.

        mode: singleToMulti: one source image; each target image gives one output. multiToSingle: one target
            image; each source image gives one output.
        target_images: A target scene; its largest face is replaced. JPEG, PNG, WebP, AVIF or HEIC/HEIF, by
            content; at most 31457280 bytes and 100000000 pixels.
        source_images: A face reference; its largest face is used. Required unless sourceFaceId is sent. JPEG,
            PNG, WebP, AVIF or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
        source_face_id: The id of a saved face (POST /api/faces), instead of the one image of sourceImages, in
            the mode singleToMulti.
        face_restore_visibility: How much detail is recovered in the swapped face, from 0 (none) to 1.
        restore_visibility: How strongly the target's own light, grain and sharpness are restored onto the
            swapped face; 0 is off.
        engine: What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).
        label: Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
            the operator decides.
        consent: Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
            kept and shown with the task. The operator may require it.
        """
        form = {
            "mode": mode,
            "sourceImages": source_images,
            "sourceFaceId": source_face_id,
            "targetImages": target_images,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
        }
        return self._make(form, idempotency_key)

    def quote(
        self,
        *,
        mode: Literal["singleToMulti", "multiToSingle"],
        target_images: Sequence[File],
        source_images: Optional[Sequence[File]] = None,
        source_face_id: Optional[str] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
    ) -> Quoted:
        """Returns the price and warnings of a task without creating it."""
        form = {
            "mode": mode,
            "sourceImages": source_images,
            "sourceFaceId": source_face_id,
            "targetImages": target_images,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
        }
        return self._quote(form)


class GroupForm(Sender[Made, Quoted]):
    def swap(
        self,
        *,
        source_image: File,
        faces: Sequence[GroupFace],
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Creates a task. A request that is sent again makes no second task. The whole request has at most
        99614720 bytes.

        source_image: The group photo; only the mapped faces change. JPEG, PNG or WebP, by content; at most
            31457280 bytes and 100000000 pixels.
        faces: The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
            saved face (sourceFaceId).
        face_restore_visibility: How much detail is recovered in the swapped face, from 0 (none) to 1.
        restore_visibility: How strongly the target's own light, grain and sharpness are restored onto the
            swapped face; 0 is off.
        engine: What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).
        label: Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
            the operator decides.
        consent: Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
            kept and shown with the task. The operator may require it.
        """
        form = {
            "sourceImage": source_image,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._make(form, idempotency_key)

    def quote(
        self,
        *,
        source_image: File,
        faces: Sequence[GroupFace],
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
    ) -> Quoted:
        """Returns the price and warnings of a task without creating it."""
        form = {
            "sourceImage": source_image,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._quote(form)


class VideoForm(Sender[Made, Quoted]):
    def swap(
        self,
        *,
        target_video: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        quality: Optional[Literal["720p", "1080p"]] = None,
        preserve_scene: Optional[Literal[True]] = None,
        additional_source_images: Optional[Sequence[File]] = None,
        start_seconds: Optional[float] = None,
        end_seconds: Optional[float] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        faces: Optional[Sequence[VideoFace]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Creates a task. A request that is sent again makes no second task. All files together have at most
        99614720 bytes.

        target_video: The video; the face of the person who is most on camera is replaced. MP4, MOV or WebM,
            by content; at most 99614720 bytes, 300 seconds, 240 frames per second and 9437184 pixels a frame,
            4096 on a side.
        source_image: The face reference; its largest face is used. Required unless sourceFaceId, targetFace0
            or sourceFaceId0 is sent. JPEG, PNG, WebP or HEIC/HEIF, by content; at most 31457280 bytes and
            100000000 pixels.
        source_face_id: The id of a saved face (POST /api/faces), instead of sourceImage.
        quality: Largest short side of the video, in pixels; a larger video is scaled down, a smaller one is
            not enlarged.
        preserve_scene: Body, clothing, background and framing stay as they are, in any case.
        additional_source_images: Up to four more photos of the person in sourceImage; the largest face of
            each is used. If one shows another person, the task fails. JPEG, PNG, WebP or HEIC/HEIF, by
            content; at most 31457280 bytes and 100000000 pixels.
        start_seconds: Start of the part of targetVideo to swap, in seconds (default: the beginning). Only
            that part is returned and charged.
        end_seconds: End of the part of targetVideo to swap, in seconds, at least 0.5 seconds after its start
            (default: the end).
        face_restore_visibility: How much detail is recovered in the swapped face, from 0 (none) to 1.
        restore_visibility: How strongly the target's own light, grain and sharpness are restored onto the
            swapped face; 0 is off.
        engine: What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).
        label: Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
            the operator decides.
        consent: Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
            kept and shown with the task. The operator may require it.
        faces: The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
            saved face (sourceFaceId).
        """
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetVideo": target_video,
            "quality": quality,
            "preserveScene": preserve_scene,
            "additionalSourceImages": additional_source_images,
            "startSeconds": start_seconds,
            "endSeconds": end_seconds,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._make(form, idempotency_key)

    def quote(
        self,
        *,
        target_video: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        quality: Optional[Literal["720p", "1080p"]] = None,
        preserve_scene: Optional[Literal[True]] = None,
        additional_source_images: Optional[Sequence[File]] = None,
        start_seconds: Optional[float] = None,
        end_seconds: Optional[float] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        faces: Optional[Sequence[VideoFace]] = None,
    ) -> Quoted:
        """Returns the price and warnings of a task without creating it."""
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetVideo": target_video,
            "quality": quality,
            "preserveScene": preserve_scene,
            "additionalSourceImages": additional_source_images,
            "startSeconds": start_seconds,
            "endSeconds": end_seconds,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._quote(form)


class GifForm(Sender[Made, Quoted]):
    def swap(
        self,
        *,
        target_gif: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        start_seconds: Optional[float] = None,
        end_seconds: Optional[float] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        faces: Optional[Sequence[VideoFace]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Creates a task. A request that is sent again makes no second task. All files together have at most
        99614720 bytes.

        target_gif: The animation; the face of the person who is most on camera is replaced. An MP4 or WebM
            becomes a GIF with a short side of at most 480 pixels and at most 30 pictures per second; all
            pictures of a GIF together have at most 400000000 pixels. GIF, MP4 or WebM, by content; at most
            99614720 bytes, 30 seconds, 240 frames per second and 9437184 pixels a frame, 4096 on a side.
        source_image: The face reference; its largest face is used. Required unless sourceFaceId, targetFace0
            or sourceFaceId0 is sent. JPEG, PNG, WebP or HEIC/HEIF, by content; at most 31457280 bytes and
            100000000 pixels.
        source_face_id: The id of a saved face (POST /api/faces), instead of sourceImage.
        start_seconds: Start of the part of targetGif to swap, in seconds (default: the beginning). Only that
            part is returned and charged.
        end_seconds: End of the part of targetGif to swap, in seconds, at least 0.5 seconds after its start
            (default: the end).
        face_restore_visibility: How much detail is recovered in the swapped face, from 0 (none) to 1.
        restore_visibility: How strongly the target's own light, grain and sharpness are restored onto the
            swapped face; 0 is off.
        engine: What draws the faces: an id that GET /api/ai-tasks/engines lists (default: its default).
        label: Whether a visible label, "AI face swapped", is put on every result. If it is false or missing,
            the operator decides.
        consent: Who agreed to this use of the face, and how: a sentence, or a reference to a document. It is
            kept and shown with the task. The operator may require it.
        faces: The faces to replace: where each is (faceBox), and a photo of the new face (targetFace) or a
            saved face (sourceFaceId).
        """
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetGif": target_gif,
            "startSeconds": start_seconds,
            "endSeconds": end_seconds,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._make(form, idempotency_key)

    def quote(
        self,
        *,
        target_gif: File,
        source_image: Optional[File] = None,
        source_face_id: Optional[str] = None,
        start_seconds: Optional[float] = None,
        end_seconds: Optional[float] = None,
        face_restore_visibility: Optional[float] = None,
        restore_visibility: Optional[float] = None,
        engine: Optional[str] = None,
        label: Optional[bool] = None,
        consent: Optional[str] = None,
        faces: Optional[Sequence[VideoFace]] = None,
    ) -> Quoted:
        """Returns the price and warnings of a task without creating it."""
        form = {
            "sourceImage": source_image,
            "sourceFaceId": source_face_id,
            "targetGif": target_gif,
            "startSeconds": start_seconds,
            "endSeconds": end_seconds,
            "faceRestoreVisibility": face_restore_visibility,
            "restoreVisibility": restore_visibility,
            "engine": engine,
            "label": label,
            "consent": consent,
            "faces": faces,
        }
        return self._quote(form)


class FaceForm(Sender[Made, Quoted]):
    def save(
        self,
        *,
        photos: Sequence[File],
        name: str,
        consent: str,
        idempotency_key: Optional[str] = None,
    ) -> Made:
        """
        Saves a face, which all workflows take as `source_face_id`. All files together have at most 99614720
        bytes.

        photos: A photo of the person; its largest face is used. Several are merged. JPEG, PNG, WebP, GIF, BMP
            or HEIC/HEIF, by content; at most 31457280 bytes and 100000000 pixels.
        name: A name by which you know the face.
        consent: Who agreed to the use of the face, and how: a sentence, or a reference to a document.
        """
        form = {
            "photos": photos,
            "name": name,
            "consent": consent,
        }
        return self._make(form, idempotency_key)
