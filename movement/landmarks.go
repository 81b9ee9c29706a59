package movement

import "strings"

// MarkerSet is a way to call the points of a body.
type MarkerSet struct {
	Name      string     `json:"name"`
	Centres   bool       `json:"centres"` // its hips, knees and ankles are the middles of the joints
	Landmarks []Landmark `json:"landmarks"`
}

// Landmark is a place of the body, and the points of which it is the middle. Where there are
// several ways, the first one counts of which a recording has all points.
type Landmark struct {
	Name   string     `json:"name"`
	Points [][]string `json:"points"`
}

// landmarks reads lines such as "name: POINT, POINT | POINT". In a name, @ stands for either side.
func landmarks(lines string) (all []Landmark) {
	for line := range strings.Lines(lines) {
		name, points, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		sides := []string{""}
		if strings.Contains(name, "@") {
			sides = []string{"left", "right"}
		}
		for _, side := range sides {
			l := Landmark{Name: strings.ReplaceAll(name, "@", side)}
			for way := range strings.SplitSeq(points, " | ") {
				l.Points = append(l.Points, strings.Split(spell(way, side), ", "))
			}
			all = append(all, l)
		}
	}
	return all
}

// spell puts the side into the names of points: @ is left or right, L is L or R, l is l or r.
func spell(points, side string) string {
	if side == "" {
		return points
	}
	capital, small := strings.ToUpper(side[:1]), side[:1]
	return strings.NewReplacer("@", side, "$", capital, "%", small).Replace(points)
}

// markerSets are those that are known, in the order in which they are looked for. In the names of
// points @ stands for left or right, $ for L or R and % for l or r.
var markerSets = []MarkerSet{
	{Name: "Plug-in Gait", Landmarks: landmarks(`
		pelvis: LASI, RASI, LPSI, RPSI | LASI, RASI, SACR
		@_asis: $ASI
		@_psis: $PSI | SACR
	` + commonLandmarks)},
	{Name: "Vicon Clinical Manager", Landmarks: landmarks(`
		pelvis: LFWT, RFWT, LBWT, RBWT
		@_asis: $FWT
		@_psis: $BWT
	` + commonLandmarks)},
	{Name: "OpenCap", Centres: true, Landmarks: append(openCapSide("left", "L"), openCapSide("right", "r")...)},
	{Name: "HALPE 26", Centres: true, Landmarks: landmarks(`
		pelvis: Hip | LHip, RHip
		@_hip: $Hip
		@_knee: $Knee
		@_ankle: $Ankle
		@_heel: $Heel
		@_toe: $BigToe, $SmallToe | $BigToe
		@_shoulder: $Shoulder
		@_elbow: $Elbow
		@_wrist: $Wrist
		@_head: $Ear
		head: Head | Nose
		neck: Neck
	`)},
	{Name: "joint centres", Centres: true, Landmarks: landmarks(`
		pelvis: pelvis_3d | left_hip_jc_3d, right_hip_jc_3d
		@_hip: @_hip_jc_3d
		@_knee: @_knee_jc_3d
		@_ankle: @_ankle_jc_3d
		@_heel: @_heel_3d
		@_toe: @_first_toe_3d | @_mid_toe_3d
		@_shoulder: @_shoulder_jc_3d
		@_elbow: @_elbow_jc_3d
		@_wrist: @_wrist_jc_3d
		@_head: @_ear_3d
		head: mid_head_3d
		neck: proximal_neck_3d
	`)},
	{Name: "Theia", Centres: true, Landmarks: landmarks(`
		pelvis: pelvis_4X4
		@_hip: %_thigh_4X4
		@_knee: %_shank_4X4
		@_ankle: %_foot_4X4
		@_toe: %_toes_4X4
		@_shoulder: %_uarm_4X4
		@_elbow: %_larm_4X4
		@_wrist: %_hand_4X4
		head: head_4X4
		neck: torso_4X4
	`)},
	{Name: "MediaPipe Pose", Centres: true, Landmarks: landmarks(`
		pelvis: left_hip, right_hip
		@_hip: @_hip
		@_knee: @_knee
		@_ankle: @_ankle
		@_heel: @_heel
		@_toe: @_foot_index
		@_shoulder: @_shoulder
		@_elbow: @_elbow
		@_wrist: @_wrist
		@_hand: @_index
		@_head: @_ear
		head: left_ear, right_ear
		neck: left_shoulder, right_shoulder
	`)},
	{Name: "BTS", Landmarks: landmarks(`
		pelvis: l asis, r asis, sacrum
		@_asis: % asis
		@_psis: sacrum
		@_knee: % knee 1
		@_heel: % heel
		@_toe: % met
		@_shoulder: % should
		neck: c7
	`)},
}

// commonLandmarks are those that Plug-in Gait has from Vicon Clinical Manager.
const commonLandmarks = `
		@_knee: $KNE
		@_ankle: $ANK
		@_heel: $HEE
		@_toe: $TOE
		@_shoulder: $SHO
		@_elbow: $ELB
		@_wrist: $WRA, $WRB
		@_hand: $FIN
		@_head: $FHD, $BHD
		neck: C7
		sternum: STRN
	`

// openCapSide are the landmarks of OpenCap's anatomical markers, whose right side has a small
// letter; those of neither side come with the left one.
func openCapSide(side, letter string) []Landmark {
	lines := `
		SIDE_hip: HJC_study
		SIDE_asis: #.ASIS_study
		SIDE_psis: #.PSIS_study
		SIDE_knee: #_knee_study, #_mknee_study
		SIDE_ankle: #_ankle_study, #_mankle_study
		SIDE_heel: #_calc_study
		SIDE_toe: #_toe_study
		SIDE_shoulder: #_shoulder_study
		SIDE_elbow: #_lelbow_study, #_melbow_study
		SIDE_wrist: #_lwrist_study, #_mwrist_study
	`
	if side == "left" {
		lines = `
		pelvis: L.ASIS_study, r.ASIS_study, L.PSIS_study, r.PSIS_study
		neck: C7_study
		` + lines
	}
	return landmarks(strings.NewReplacer("SIDE", side, "HJC", strings.ToUpper(letter)+"HJC", "#",
		letter).Replace(lines))
}
