// Included by libwebrtc, which uses nothing of it.
#pragma once
